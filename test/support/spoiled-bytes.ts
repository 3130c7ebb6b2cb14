/** A copy of the bytes with one or a few things broken in it: flipped, cut out, doubled, cut off, put in. */
export function spoiled(bytes: Buffer, choose: (below: number) => number, byteBelow = 128): Buffer {
  let copy = Buffer.from(bytes)
  for (let times = 1 + choose(3); times > 0 && copy.length > 0; times--) {
    const at = choose(copy.length)
    const length = 1 + choose(8)
    switch (choose(6)) {
      case 0:
        copy[at] = choose(byteBelow)
        break
      case 1:
        copy = Buffer.concat([copy.subarray(0, at), copy.subarray(at + length)])
        break
      case 2:
        copy = Buffer.concat([copy.subarray(0, at + length), copy.subarray(at)])
        break
      case 3:
        copy = copy.subarray(0, at)
        break
      case 4:
        copy = Buffer.concat([
          copy.subarray(0, at),
          Buffer.from('{}[],:"\\0-e. tfn'.charAt(choose(16))),
          copy.subarray(at),
        ])
        break
      default:
        copy[at] = copy[choose(copy.length)]!
    }
  }
  return copy
}
