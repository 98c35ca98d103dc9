"""The interface for programs: the verbs of the office under addresses, for the holder of a token.

`operations` is the one table of what there is: the server answers by it, and the OpenAPI file is
made of it. Every operation calls the verb that the screens call, as the owner of the token.
"""
