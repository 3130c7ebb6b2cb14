import { getDocumentProxy } from 'unpdf'
import { measure, type TextLimits, UnreadableDocument } from './text-limits.ts'
import { pageText, type Piece } from './page-layout.ts'

/** The text of a PDF, page by page, in the order in which a person reads it. */
export async function pdfText(bytes: Uint8Array, limits: TextLimits): Promise<string[]> {
  const document = await opened(bytes)
  if (document.numPages > limits.pagesMost)
    throw new UnreadableDocument(
      `The document has ${document.numPages} pages; at most ${limits.pagesMost} are read. Upload it in parts.`,
    )
  const pages: string[] = []
  let characters = 0
  for (let number = 1; number <= document.numPages; number++) {
    const text = await textOf(document, number)
    pages.push(text)
    characters += text.length
    if (characters > limits.charactersMost) measure(pages, limits)
  }
  return pages
}

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>

async function textOf(document: PdfDocument, number: number): Promise<string> {
  try {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    const pieces = items.flatMap((item): Piece[] => {
      if (!('str' in item) || item.str === '') return []
      const [, , , , x, y] = item.transform as number[]
      return [{ text: item.str, x: x ?? 0, y: y ?? 0, width: item.width, height: item.height }]
    })
    const { width } = page.getViewport({ scale: 1 })
    page.cleanup()
    return pageText(pieces, width)
  } catch (error) {
    throw new UnreadableDocument(`Page ${number} of the PDF is damaged. ${saveAgain}`, { cause: error })
  }
}

const saveAgain = 'Open it in a PDF program, save it again and upload that.'

async function opened(bytes: Uint8Array) {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
  } catch (error) {
    const encrypted = (error as Error).name === 'PasswordException'
    throw new UnreadableDocument(
      encrypted
        ? 'The PDF needs a password. Upload a version without one.'
        : `The PDF is damaged and cannot be opened. ${saveAgain}`,
      { cause: error },
    )
  }
}
