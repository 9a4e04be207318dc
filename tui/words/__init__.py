"""What npuview says of a run, in the language of its reader."""
