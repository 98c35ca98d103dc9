"""Laws: probability distributions of answers, their densities, and how far two of them are apart."""
