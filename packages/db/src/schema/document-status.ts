/** The life of a versioned document. What was retired may be active again; nothing becomes a draft again. */
export type DocumentStatus = "draft" | "active" | "retired";
