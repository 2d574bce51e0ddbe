/** The life of a versioned document; it never goes back. */
export type DocumentStatus = "draft" | "active" | "retired";
