-- title:   Ranks of the job
-- about:   Each rank of the job and whether it is in this data. How many there
--          are says the profile (source world_size), else at least as many as
--          a communicator has members (groups); else only those here are known
--          (profiles). A profile that does not name its rank has one that
--          npuview gave it: then nobody can be said to be missing.
-- columns: rank INTEGER, collected BOOLEAN, ranks INTEGER, source VARCHAR,
--          inferred BOOLEAN
-- needs:   job_rank
SELECT rank, collected, ranks, source, inferred
FROM job_rank
ORDER BY rank
