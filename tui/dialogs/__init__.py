"""Dialogs: questions and lists that stand over the views."""
