-- about: The parts on which slices stand, in the order of the slices; from 1.
SELECT slice_id, (enum_code(part) + 1)::UTINYINT AS part
FROM part
