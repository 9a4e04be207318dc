"""What the timeline shows: lanes, where one looks, what is loaded, what is selected."""
