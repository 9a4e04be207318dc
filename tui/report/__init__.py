"""A report: what the overview, the findings and the tables say, in one file to hand on."""
