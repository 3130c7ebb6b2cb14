// Where things lie in the memory that the host and this module share. Exported, so that the host reads it from here.

/** Registers: words of 32 bits. */
export const regInAt: i32 = 1024
export const regInEnd: i32 = 1028
/** Whether no more input will come. */
export const regLast: i32 = 1032
export const regOutAt: i32 = 1036
export const regOutStart: i32 = 1040
/** The first byte that a match may copy: the stream's first, or so much as is left of it before regOutStart. */
export const regReach: i32 = 1044

export const codeLengthsAt: i32 = 2048
export const preTableAt: i32 = 4096
export const literalTableAt: i32 = 8192
export const distanceTableAt: i32 = literalTableAt + (2048 + 2560) * 4
export const inputAt: i32 = 65536
export const inputBytes: i32 = 1 << 20

/** Packed bytes on their way to the thread that inflates them, in pieces: more than fit the slots, so that these can all be filled. */
export const packedBytes: i32 = 1 << 18
export const packedCount: i32 = 16
export const packedsBytes: i32 = 1 << 22
export const packedsAt: i32 = inputAt + inputBytes + 1024

export const historyBytes: i32 = 32768
/** A slot of output stands behind the history that its matches may reach into, and before room to write too far. */
export const slotBytes: i32 = 1 << 20
export const slotStride: i32 = historyBytes + slotBytes + 1024
/** As many as are filled while the code of whoever reads them is still cold. */
export const slotCount: i32 = 28
export const slotsAt: i32 = packedsAt + packedsBytes
export const memoryPages: i32 = (slotsAt + slotCount * slotStride + 65535) >> 16
