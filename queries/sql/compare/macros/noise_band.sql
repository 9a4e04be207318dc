-- From which difference of two medians on it is no noise, ns: three standard
-- errors of it, and at least what nobody would change a setting for. NULL with
-- fewer steps than a spread can be told from.
CREATE MACRO noise_band(
  base_spread, base_steps, test_spread, test_steps, floor_ns
) AS (
  CASE
    WHEN least(base_steps, test_steps) >= 3 THEN greatest(
      3 * sqrt(
        robust_error(base_spread, base_steps) ** 2
          + robust_error(test_spread, test_steps) ** 2
      ),
      floor_ns
    )::BIGINT
  END
)
