// Where things lie in the memory that the host and this module share. Exported, so that the host reads it from here.

export const windowBytes: i32 = (16 << 20) + (2 << 20) + 64
/** Rows that the buffers of the staged columns hold. */
export const bufferRows: i32 = 8192
export const priceSlots: i32 = 1 << 16
export const listSlots: i32 = 1 << 19
export const groupSlots: i32 = 1 << 18
export const entryBytes: i32 = 32

export const registersAt: i32 = 1024
export const priceAttributesAt: i32 = 4096
export const priceAmountsAt: i32 = priceAttributesAt + bufferRows * 4
export const rateIndexesAt: i32 = priceAmountsAt + bufferRows * 8
export const rateOffsetsAt: i32 = rateIndexesAt + bufferRows * 4
export const rateSetsAt: i32 = rateOffsetsAt + bufferRows * 8
export const ratePricesAt: i32 = rateSetsAt + bufferRows * 4
export const notePricesAt: i32 = ratePricesAt + bufferRows * 4
export const noteTextsAt: i32 = notePricesAt + bufferRows * 8
export const priceMemoAt: i32 = noteTextsAt + bufferRows * 4
export const listMemoAt: i32 = priceMemoAt + priceSlots * entryBytes
export const groupMemoAt: i32 = listMemoAt + listSlots * entryBytes
/** Forms of prices. */
export const formsBytes: i32 = 2 << 20
export const formsAt: i32 = groupMemoAt + groupSlots * entryBytes
/** References by their number, where that is a whole number below a million: the reference plus one. */
export const smallReferencesAt: i32 = formsAt + formsBytes
export const smallReferences: i32 = 1000000
/** Lists that were read here for the first time, which the host gives a number: digest, first member, members, row of the rate. */
export const newListsAt: i32 = smallReferencesAt + smallReferences * 4
export const newListBytes: i32 = 32
export const newListsMax: i32 = 2048
export const membersAt: i32 = newListsAt + newListsMax * newListBytes
export const membersMax: i32 = 1 << 16
/** Notes that the host gives a number: row of the note, where its text begins and ends. */
export const newNotesAt: i32 = membersAt + membersMax * 4
export const newNoteBytes: i32 = 12
export const newNotesMax: i32 = bufferRows
/** A group that was read here: four words for the host, then its NPIs as numbers of 64 bits. */
export const groupAt: i32 = newNotesAt + newNotesMax * newNoteBytes
export const groupNpisMax: i32 = 1 << 15
/** Words that are being sorted. */
export const sortedAt: i32 = groupAt + 16 + groupNpisMax * 8
export const windowAt: i32 = sortedAt + 512
export const memoryBytes: i32 = windowAt + windowBytes

// Registers: words of 32 bits from registersAt on.
export const regAt: i32 = registersAt
export const regEnd: i32 = registersAt + 4
export const regState: i32 = registersAt + 8
export const regDue: i32 = registersAt + 12
export const regSeen: i32 = registersAt + 16
export const regRate: i32 = registersAt + 20
export const regPrice: i32 = registersAt + 24
export const regPricesRead: i32 = registersAt + 28
export const regNotesRead: i32 = registersAt + 32
export const regReferenceSet: i32 = registersAt + 36
export const regGroupSet: i32 = registersAt + 40
export const regPricesUsed: i32 = registersAt + 44
export const regRatesUsed: i32 = registersAt + 48
export const regNotesUsed: i32 = registersAt + 52
export const regFree: i32 = registersAt + 56
/** Four words: the digest looked up last. */
export const regDigest: i32 = registersAt + 64
// Registers of 64 bits: whole numbers as floats, which the host reads and writes without big integers.
export const regBase: i32 = registersAt + 96
export const regPriceCount: i32 = registersAt + 104
export const regOffset: i32 = registersAt + 112
/** Four words: where `scanPrice` found the rate and its end, the note and its end; 0 for none. */
export const regScanned: i32 = registersAt + 120
export const regAmount: i32 = registersAt + 136
/** Counts the times that the memo of prices was emptied: forms of before are void. */
export const regEpoch: i32 = registersAt + 144
export const regNewLists: i32 = registersAt + 148
export const regNewMembers: i32 = registersAt + 152
export const regNewNotes: i32 = registersAt + 156
/** Not 0 where a filter decides about lists, which only the host can. */
export const regFiltered: i32 = registersAt + 160
/** Seven words about the group that was read last: NPIs, where the TIN stands and ends, its kind, where the name stands and ends. */
export const regGroup: i32 = registersAt + 164
/** How deep `skipOn` is, and whether inside a string. */
export const regSkip: i32 = registersAt + 192
/** Slots in use of the memos of prices and lists: they grow with what is remembered. */
export const regPriceSlots: i32 = registersAt + 200
export const regListSlots: i32 = registersAt + 204
