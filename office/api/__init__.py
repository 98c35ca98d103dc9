"""The interface for programs: the verbs of the office under addresses, for whoever has a token.

`operations` is the one table of what there is: the server answers by it, and the OpenAPI file is
made of it. Every operation calls the verb that the screens call, with the person whose token it is.
"""
