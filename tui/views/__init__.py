"""The views of the app, one a module: each shows one answer and leads to the next."""
