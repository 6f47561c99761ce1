/** Reads a JSON request body of limited size. */
import { isUtf8 } from 'node:buffer';
import { errorReply } from './reply.ts';
import type { Context, Handler, Request } from './request.ts';

/** The largest body of most routes, in bytes. A login needs far less. */
const MAX_BYTES = 10 * 1024;

type JsonObject = Readonly<Record<string, unknown>>;

export type WithBody = { readonly body: JsonObject };

/**
 * Adds the JSON body to the handler's argument. An absent or empty body is `{}`. An invalid body
 * gets an error reply.
 */
export const withBody =
  <Argument extends Context>(
    handler: Handler<Argument & WithBody>,
    maxBytes = MAX_BYTES,
  ): Handler<Argument> =>
  async (context) => {
    const bytes = await readBody(context.request, maxBytes);
    // The rest of the body is not read, so the connection cannot be used again.
    if (!bytes) return errorReply(413, 'body_too_large', ['Connection', 'close']);
    if (bytes.length === 0) return handler({ ...context, body: {} });
    if (!isJson(context.request)) return errorReply(415, 'unsupported_media_type');
    const body = tryParseJson(bytes);
    return isObject(body) ? handler({ ...context, body }) : errorReply(400, 'invalid_json');
  };

/** Whether the Content-Type is JSON. Parameters, such as a charset, are ignored. */
function isJson({ headers }: Request): boolean {
  const [type = ''] = headers['content-type']?.split(';') ?? [];
  return type.trim().toLowerCase() === 'application/json';
}

/** The body, or `undefined` if it is too large. */
async function readBody({ headers, body }: Request, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(headers['content-length'] ?? 0) > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Parses JSON in UTF-8 without a byte order mark (RFC 8259 8.1). `undefined` if it is invalid. */
function tryParseJson(bytes: Buffer): unknown {
  try {
    return isUtf8(bytes) ? JSON.parse(bytes.toString()) : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
