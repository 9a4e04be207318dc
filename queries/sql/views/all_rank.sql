-- The ranks that are in this data, whether or not they are opened.
-- Of one that is not opened nothing is read but its number in the store.
SELECT rank FROM profile WHERE rank_known
UNION ALL
SELECT rank FROM unopened_rank
