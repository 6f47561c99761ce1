/** Reads a JSON request body of limited size. */
import { isUtf8 } from 'node:buffer';
import { errorReply, type Reply } from './reply.ts';
import type { Handler, Request } from './request.ts';

/** Largest body of most routes, in bytes. A login takes far less. */
const MAX_BYTES = 10 * 1024;

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Passes the body to `handle`; an absent or empty body is `{}`. An invalid body gets 413, 415 or
 * 400. It must be UTF-8 without a byte order mark (RFC 8259 8.1).
 */
export async function readJsonBody(
  request: Request,
  handle: Handler<JsonObject>,
  maxBytes = MAX_BYTES,
): Promise<Reply> {
  const bytes = await readBody(request, maxBytes);
  // The rest of the body stays unread, so the connection cannot be used again.
  if (!bytes) return errorReply(413, 'body_too_large', ['Connection', 'close']);
  if (bytes.length === 0) return handle({});
  if (!isJson(request.headers['content-type'])) return errorReply(415, 'unsupported_media_type');
  const body = isUtf8(bytes) ? tryParseJson(bytes.toString()) : undefined;
  return isObject(body) ? handle(body) : errorReply(400, 'invalid_json');
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

const isJson = (contentType = ''): boolean =>
  contentType.split(';')[0]?.trim().toLowerCase() === 'application/json';

/** The value of a JSON text; `undefined` if it is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
