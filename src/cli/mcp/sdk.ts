// What the build bundles, minified, into `dist/cli-mcp-sdk.cjs`: no other file imports the SDK, and only `upkeep mcp`
// loads this one. Schemas come from the SDK's copy of zod, so that upkeep's own copy does not grow.
export { Server } from '@modelcontextprotocol/sdk/server/index.js'
export { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
export { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js'
export {
  array,
  boolean,
  describe,
  enum as oneOf,
  int,
  maximum,
  maxLength,
  minimum,
  minLength,
  number,
  optional,
  regex,
  strictObject,
  string,
  toJSONSchema,
} from 'zod/mini'
