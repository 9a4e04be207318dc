"""Pieces of the screen that several views are made of."""
