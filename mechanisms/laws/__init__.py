"""Laws: probability distributions of answers, their densities, and the divergence of two of them."""
