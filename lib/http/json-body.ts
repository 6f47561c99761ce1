/** Reads a JSON request body, with limits. */
import { failure, type Reply } from './reply.ts';
import type { Request } from './request.ts';

/** Largest body, in bytes; a login takes under 300. */
const MAX_BYTES = 10 * 1024;

export type JsonObject = Readonly<Record<string, unknown>>;

/** Reads the body as an object: `{}` where there is none. Refused with 413, 415 or 400. */
export async function readJson(
  request: Request,
): Promise<{ readonly body: JsonObject } | { readonly refusal: Reply }> {
  const bytes = await readBody(request);
  // The rest stays unread, so the connection can carry no further request.
  if (!bytes) return refuse(413, 'body_too_large', ['Connection', 'close']);
  if (bytes.length === 0) return { body: {} };
  if (!isJson(request.headers['content-type'])) return refuse(415, 'unsupported_media_type');
  const body = parseObject(bytes);
  return body ? { body } : refuse(400, 'invalid_json');
}

const refuse = (...reply: Parameters<typeof failure>) => ({ refusal: failure(...reply) });

/** The body, or `undefined` where it is too large; what is left of it stays unread. */
async function readBody({ headers, body }: Request): Promise<Buffer | undefined> {
  if (Number(headers['content-length'] ?? 0) > MAX_BYTES) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const isJson = (contentType = ''): boolean =>
  contentType.split(';')[0]?.trim().toLowerCase() === 'application/json';

function parseObject(bytes: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
