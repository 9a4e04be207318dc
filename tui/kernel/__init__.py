"""What a kernel's record tells: its pipes and its tensors."""
