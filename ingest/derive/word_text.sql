-- about: The texts of all codes, each in its code's place.
SELECT text FROM word ORDER BY code
