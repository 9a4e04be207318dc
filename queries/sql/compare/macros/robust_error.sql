-- The standard error of the median of n values, ns, by the median absolute
-- deviation from it: that of a normal distribution is 1.4826 deviations, that
-- of a median 1.2533 of a mean's. Of few values the deviation is too small;
-- the factors are those of Croux and Rousseeuw (1992).
CREATE MACRO robust_error(spread, n) AS (
  1.2533 * 1.4826 * spread / sqrt(nullif(n, 0)) * CASE
    WHEN n < 10 THEN
      [1.0, 1.196, 1.495, 1.363, 1.206, 1.2, 1.14, 1.129, 1.107][n]
    ELSE n / (n - 0.8)
  END
)
