-- table: host_role
-- about: What the name of a host slice says of it: what a thread that is inside is
--        busy with, whether it is a line of Python, which phase of a step it is.
WITH told AS (
  SELECT m.pattern, c.role
  FROM pattern AS m
  JOIN lane AS l USING (lane)
  JOIN word AS n ON m.name_code = n.code
  JOIN host_call AS c ON regexp_matches(n.text, c.form)
  WHERE l.kind IN ('python', 'cann', 'host')
)
SELECT
  pattern,
  arg_min(role, list_position($host_roles, role)) FILTER (
    list_contains($host_roles, role)
  ) AS role,
  bool_or(role = 'frame') AS frame,
  bool_or(role = 'launch') AS launches,
  bool_or(role = 'capture') AS captures,
  any_value(role) FILTER (role IN ('backward', 'optimizer')) AS phase
FROM told
GROUP BY pattern
