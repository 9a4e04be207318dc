-- Whether a core is none that computes: such kernels are collectives.
CREATE MACRO communicates(core) AS coalesce(
  upper(core) IN ('COMMUNICATION', 'HCCL', 'HCCL_AI_CPU', 'CCU'), FALSE
)
