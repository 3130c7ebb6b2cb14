/** An answer that is a file instead of JSON. It is sent as it is read, so it may be larger than memory. */
export class Download {
  readonly type: string
  readonly fileName: string
  /** A Node stream, or anything else that gives it piece by piece. */
  readonly stream: AsyncIterable<Uint8Array | string>
  /** How long it is, where that is known. */
  readonly bytes: number | undefined
  /** Shown by the browser instead of saved. */
  readonly inline: boolean

  constructor(
    type: string,
    fileName: string,
    stream: AsyncIterable<Uint8Array | string>,
    { bytes, inline = false }: { bytes?: number; inline?: boolean } = {},
  ) {
    this.type = type
    this.fileName = fileName
    this.stream = stream
    this.bytes = bytes
    this.inline = inline
  }
}
