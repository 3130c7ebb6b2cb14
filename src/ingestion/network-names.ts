// What publishers add to a network's name in the description of a file: "… in-network file 3 of 12".
const additions =
  /\b(in[- _]?network([- _](file|rates?|negotiated rates?)( files?)?)?|negotiated rates?( files?)?|files?|machine[- ]readable|mrf)\b|\b\d+\s*(of|\/)\s*\d+\b|\b(json|gz|zip)\b/gi

/**
 * The network that an index's description of a file names: files before schema 2.0 do not name it themselves.
 * Undefined where the description says only what kind of file it is.
 */
export function networkNameOf(description: string): string | undefined {
  const name = description
    .replaceAll(additions, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[\s:;,.\-_–|]+|[\s:;,.\-_–|]+$/g, '')
  return /[a-z]{2}/i.test(name) ? name : undefined
}
