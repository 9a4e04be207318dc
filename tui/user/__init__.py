"""What belongs to one person: settings, places and statements that are kept."""
