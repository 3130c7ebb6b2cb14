/** An id that nobody else has: 32 hexadecimal digits. `crypto.randomUUID` is there on https and localhost only. */
export const freshId = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
