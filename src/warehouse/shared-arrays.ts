/** Words that all threads see. */
export const sharedWords = (length: number) => new Uint32Array(new SharedArrayBuffer(length * 4))

/** Numbers that all threads see. */
export const sharedNumbers = (length: number) => new Float64Array(new SharedArrayBuffer(length * 8))
