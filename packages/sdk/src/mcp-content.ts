/** Hints of an MCP server on who a piece of content is for. */
export type McpAnnotations = {
  audience?: ("user" | "assistant")[];
  /** From 0, entirely optional, to 1, effectively required. */
  priority?: number;
  /** ISO 8601. */
  lastModified?: string;
};

/** Text from an MCP tool. */
export type McpTextContent = {
  type: "text";
  text: string;
  annotations?: McpAnnotations;
  _meta?: Record<string, unknown>;
};

/** An image from an MCP tool. */
export type McpImageContent = {
  type: "image";
  /** Base64. */
  data: string;
  mimeType: string;
  annotations?: McpAnnotations;
  _meta?: Record<string, unknown>;
};

/** Sound from an MCP tool. */
export type McpAudioContent = {
  type: "audio";
  /** Base64. */
  data: string;
  mimeType: string;
  annotations?: McpAnnotations;
  _meta?: Record<string, unknown>;
};

/** An icon that a client may show beside a resource. */
export type McpIcon = {
  /** A URL, `data:` included. */
  src: string;
  mimeType?: string;
  /** For example `["48x48"]`, or `["any"]`. */
  sizes?: string[];
  theme?: "light" | "dark";
};

/** The address of a resource that the MCP server would serve. */
export type McpResourceLink = {
  type: "resource_link";
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  /** In bytes, before any encoding. */
  size?: number;
  icons?: McpIcon[];
  annotations?: McpAnnotations;
  _meta?: Record<string, unknown>;
};

/** A resource with its content: text, or base64 in `blob`. */
export type McpEmbeddedResource = {
  type: "resource";
  resource:
    | { uri: string; mimeType?: string; text: string; _meta?: Record<string, unknown> }
    | { uri: string; mimeType?: string; blob: string; _meta?: Record<string, unknown> };
  annotations?: McpAnnotations;
  _meta?: Record<string, unknown>;
};

/**
 * One piece of what an MCP tool answers: the content blocks of the Model Context Protocol, told apart
 * by `type`.
 */
export type McpContentBlock =
  | McpTextContent
  | McpImageContent
  | McpAudioContent
  | McpResourceLink
  | McpEmbeddedResource;
