-- What a change of a time means: less is better. It is unknown without a band.
CREATE MACRO verdict(difference, band) AS (
  CASE
    WHEN difference IS NULL OR band IS NULL THEN 'unknown'
    WHEN abs(difference) <= band THEN 'insignificant'
    WHEN difference < 0 THEN 'better'
    ELSE 'worse'
  END
)
