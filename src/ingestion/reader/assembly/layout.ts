// Where things lie in the memory that the host and this module share. Exported, so that the host reads it from here.

export const windowBytes: i32 = (16 << 20) + (2 << 20) + 64
/** Rows that the buffers of most staged columns hold. */
export const bufferRows: i32 = 8192
export const priceSlots: i32 = 1 << 16
export const listSlots: i32 = 1 << 19
export const groupSlots: i32 = 1 << 18
export const entryBytes: i32 = 32

export const registersAt: i32 = 1024

// How many rows each buffer of a column holds, and, as a float 8 bytes further, how many rows were written out of it before.
export const countsAt: i32 = 2048
export const priceAttributesCount: i32 = countsAt
export const priceAmountsCount: i32 = countsAt + 16
export const rateIndexesCount: i32 = countsAt + 32
export const rateOffsetsCount: i32 = countsAt + 48
export const rateSetsCount: i32 = countsAt + 64
export const ratePricesCount: i32 = countsAt + 80
export const notePricesCount: i32 = countsAt + 96
export const noteTextsCount: i32 = countsAt + 112
export const textBytesCount: i32 = countsAt + 128
export const textEndsCount: i32 = countsAt + 144
export const setReferencesCount: i32 = countsAt + 160
export const setReferencesEndsCount: i32 = countsAt + 176
export const setGroupsCount: i32 = countsAt + 192
export const setGroupsEndsCount: i32 = countsAt + 208
export const groupTinTypesCount: i32 = countsAt + 224
export const groupTinsCount: i32 = countsAt + 240
export const groupNamesCount: i32 = countsAt + 256
export const groupFlagsCount: i32 = countsAt + 272
export const groupNpisEndsCount: i32 = countsAt + 288
export const groupNpisCount: i32 = countsAt + 304
export const definedReferencesCount: i32 = countsAt + 320
export const definedGroupsCount: i32 = countsAt + 336
export const definedGroupsEndsCount: i32 = countsAt + 352
export const definedNetworksCount: i32 = countsAt + 368
export const definedLocationsCount: i32 = countsAt + 384
export const definedOffsetsCount: i32 = countsAt + 400
export const referenceIdsCount: i32 = countsAt + 416

// The buffers themselves. Most hold `bufferRows`; where one has more, its size stands beside it.
export const textBytesRows: i32 = 1 << 19
export const textEndsRows: i32 = 1 << 15
export const setReferencesRows: i32 = 1 << 16
export const setGroupsRows: i32 = 1 << 15
export const groupNpisRows: i32 = 1 << 15

export const priceAttributesAt: i32 = 4096
export const priceAmountsAt: i32 = priceAttributesAt + bufferRows * 4
export const rateIndexesAt: i32 = priceAmountsAt + bufferRows * 8
export const rateOffsetsAt: i32 = rateIndexesAt + bufferRows * 4
export const rateSetsAt: i32 = rateOffsetsAt + bufferRows * 8
export const ratePricesAt: i32 = rateSetsAt + bufferRows * 4
export const notePricesAt: i32 = ratePricesAt + bufferRows * 4
export const noteTextsAt: i32 = notePricesAt + bufferRows * 8
export const textBytesAt: i32 = noteTextsAt + bufferRows * 4
export const textEndsAt: i32 = textBytesAt + textBytesRows
export const setReferencesAt: i32 = textEndsAt + textEndsRows * 8
export const setReferencesEndsAt: i32 = setReferencesAt + setReferencesRows * 4
export const setGroupsAt: i32 = setReferencesEndsAt + bufferRows * 8
export const setGroupsEndsAt: i32 = setGroupsAt + setGroupsRows * 4
export const groupTinTypesAt: i32 = setGroupsEndsAt + bufferRows * 8
export const groupTinsAt: i32 = groupTinTypesAt + bufferRows * 4
export const groupNamesAt: i32 = groupTinsAt + bufferRows * 4
export const groupFlagsAt: i32 = groupNamesAt + bufferRows * 4
export const groupNpisEndsAt: i32 = groupFlagsAt + bufferRows
export const groupNpisAt: i32 = groupNpisEndsAt + bufferRows * 8
export const definedReferencesAt: i32 = groupNpisAt + groupNpisRows * 8
export const definedGroupsAt: i32 = definedReferencesAt + bufferRows * 4
export const definedGroupsEndsAt: i32 = definedGroupsAt + bufferRows * 4
export const definedNetworksAt: i32 = definedGroupsEndsAt + bufferRows * 8
export const definedLocationsAt: i32 = definedNetworksAt + bufferRows * 4
export const definedOffsetsAt: i32 = definedLocationsAt + bufferRows * 4
export const referenceIdsAt: i32 = definedOffsetsAt + bufferRows * 8

export const priceMemoAt: i32 = referenceIdsAt + bufferRows * 4
export const listMemoAt: i32 = priceMemoAt + priceSlots * entryBytes
export const groupMemoAt: i32 = listMemoAt + listSlots * entryBytes
/** Forms of prices. */
export const formsBytes: i32 = 2 << 20
export const formsAt: i32 = groupMemoAt + groupSlots * entryBytes
/** References by their number, where that is a whole number below a million: the reference plus one. */
export const smallReferencesAt: i32 = formsAt + formsBytes
export const smallReferences: i32 = 1000000
/** What is known of references: a byte each, of so many. Those beyond are the host's alone. */
export const flaggedReferencesAt: i32 = smallReferencesAt + smallReferences * 4
export const flaggedReferences: i32 = 1 << 20
/** Lists that were read here for the first time and have something to count: the memo's entry, groups, NPIs, and each kind of finding. */
export const newListsAt: i32 = flaggedReferencesAt + flaggedReferences
export const newListBytes: i32 = 28
export const newListsMax: i32 = 2048
/** The members of the list that is being read. */
export const membersAt: i32 = newListsAt + newListsMax * newListBytes
export const membersMax: i32 = 8192
/** A group that is being read: tin type, tin, name, flags, then its NPIs as numbers of 64 bits. */
export const groupAt: i32 = membersAt + membersMax * 4
export const groupNpisMax: i32 = 1 << 15
/** Words that are being sorted. */
export const sortedAt: i32 = groupAt + 16 + groupNpisMax * 8
/** An EIN without its hyphen. */
export const einAt: i32 = sortedAt + 512
/** Which of the hundred first two digits an EIN may have. */
export const einPrefixesAt: i32 = einAt + 32
/** The list of networks that was read last, as its bytes stand in the file. */
export const networksAt: i32 = einPrefixesAt + 128
export const networksMax: i32 = 4096
/** Content from elsewhere on its way to being digested. */
export const contentAt: i32 = networksAt + networksMax + 64
export const contentBytes: i32 = 1 << 20
export const windowAt: i32 = contentAt + contentBytes + 64

/** Three tables that number content: texts, groups, sets. Pages that nobody has touched cost nothing. */
export const contentSlotBytes: i32 = 16
export const contentSlotsMax: i32 = 1 << 22
export const contentTablesAt: i32 = windowAt + windowBytes
/** Where a table is put aside while it grows. */
export const contentAsideAt: i32 = contentTablesAt + 3 * contentSlotsMax * contentSlotBytes
export const memoryBytes: i32 = contentAsideAt + (contentSlotsMax / 2) * contentSlotBytes

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
/** Not 0 where `run` stopped because the host has to make room. */
export const regFull: i32 = registersAt + 44
/** Groups and NPIs that were published in what `run` read, and definitions in it. */
export const regGroups: i32 = registersAt + 48
export const regNpis: i32 = registersAt + 52
export const regDefinitions: i32 = registersAt + 56
export const regFree: i32 = registersAt + 60
/** Four words: the digest looked up last. */
export const regDigest: i32 = registersAt + 64
/** The text "ein", where it has been met; 0 before. And the text "npi". */
export const regEin: i32 = registersAt + 80
export const regNpi: i32 = registersAt + 92
/** The list of networks that was read last: how many bytes it has, and its number. */
export const regNetworks: i32 = registersAt + 84
// Registers of 64 bits: whole numbers as floats, which the host reads and writes without big integers.
export const regBase: i32 = registersAt + 96
export const regOffset: i32 = registersAt + 104
export const regAmount: i32 = registersAt + 112
/** Four words: where `scanPrice` found the rate and its end, the note and its end; 0 for none. */
export const regScanned: i32 = registersAt + 120
/** Counts the times that the memo of prices was emptied: forms of before are void. */
export const regEpoch: i32 = registersAt + 144
/** Lists with something to count that await the host. */
export const regNewLists: i32 = registersAt + 148
/** Lists that the memo can still take, and how many it took since the host looked. */
export const regListsLeft: i32 = registersAt + 152
export const regListsTaken: i32 = registersAt + 156
/** Not 0 where a filter decides about lists and groups, which only the host can. */
export const regFiltered: i32 = registersAt + 160
/** Five words about the group that was read last: NPIs, where the TIN stands and ends, where the name stands and ends. */
export const regGroup: i32 = registersAt + 164
/** How deep `skipOn` is, and whether inside a string. */
export const regSkip: i32 = registersAt + 192
/** Slots in use of the memos of prices, lists and groups: they grow with what is remembered. */
export const regPriceSlots: i32 = registersAt + 200
export const regListSlots: i32 = registersAt + 204
export const regGroupSlots: i32 = registersAt + 208
/** Slots and entries of the three tables of content. */
export const regContent: i32 = registersAt + 212

/** The findings that are met in usual forms: EINs that nobody has, references that come again in a list, NPIs as texts, NPIs that come again. */
export const oddEins: i32 = 0
export const repeatedReferences: i32 = 1
export const textNpis: i32 = 2
export const repeatedNpis: i32 = 3
export const findingKinds: i32 = 4
/** A word for each: whether so many were told that more are only counted, and how many there were in what `run` read. */
export const regTold: i32 = registersAt + 256
export const regFound: i32 = registersAt + 272
