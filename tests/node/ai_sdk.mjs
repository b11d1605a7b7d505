// The AI SDK's client, which has an implementation of its own. `--mode legacy` initializes, `auto` asks first.

import { createMCPClient } from "@ai-sdk/mcp";
import { StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";

import { converse, given } from "./conversation.mjs";

const server = given();
const client = await createMCPClient({
  transport: server.url
    ? { type: "http", url: server.url.href, headers: server.headers }
    : new StdioMCPTransport(server.process),
  protocolVersionDiscovery: server.mode === "auto",
});

await converse({
  list: async () => (await client.listTools()).tools.map((tool) => tool.name),
  // This client asks for no progress.
  call: (name, args) => client.callTool({ name, arguments: args }),
  revision: () => client.initializeResult.protocolVersion,
  close: () => client.close(),
});
