"""Two runs held against each other: what is told of them."""
