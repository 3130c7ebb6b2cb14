import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ContractView } from './contract-view.ts'
import { RunningText } from './running-text.ts'

const header = 'Hospital Agreement'
const footer = (page: number) => `Confidential - Page ${page} of 3`

describe('the running text of a document', () => {
  it('leaves out what every page repeats, and joins what a page or a line breaks', () => {
    const pages = [
      `${header}\n\n1. Payer may recover any over-\npayment, and a self-\nfunded plan may do so after\n\n${footer(1)}`,
      `${header}\n\nthirty days notice.\n\n2. Notices are in writing.\n\n${footer(2)}`,
      `${header}\n\n3. The end.\n\n${footer(3)}`,
    ]
    const { text } = new RunningText(pages)
    expect(text.replaceAll(/\s+/g, ' ').trim()).toBe(
      '1. Payer may recover any overpayment, and a self-funded plan may do so after thirty days notice. 2. Notices are in writing. 3. The end.',
    )
    const view = new ContractView(pages)
    expect(view.paragraphs.map(({ text: one }) => one.slice(0, 2))).toEqual(['1.', '2.', '3.'])
    const { start, end } = view.paragraphs[0]!
    view.quote({ start, end })
    expect(view.evidence[0]!.text).toBe(
      '1. Payer may recover any over-\npayment, and a self-\nfunded plan may do so after',
    )
  })

  it('knows where each of its characters stands', () => {
    const line = fc.stringMatching(/^[a-zA-Z .,-]{0,12}$/)
    const page = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 5 }), (pages) => {
        const running = new RunningText(pages)
        for (const [offset, character] of [...running.text].entries()) {
          if (/\s/.test(character)) continue
          const { page: on, offset: at } = running.placeOf(offset)
          expect(pages[on]!.charAt(at)).toBe(character)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('quotes only words that stand on the page', () => {
    const words = fc.constantFrom(
      'claims',
      'By:',
      'Payer',
      '\n',
      '\n\n',
      'over-\n',
      'pay.',
      '\t',
      'Page 2',
      '1.',
      ' ',
    )
    const page = fc.array(words, { maxLength: 30 }).map((parts) => parts.join(' '))
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 4 }), fc.nat(), fc.nat(), (pages, a, b) => {
        const view = new ContractView(pages)
        const size = view.text.trimEnd().length
        if (size === 0) return
        const start = a % size
        if (/\s/.test(view.text.charAt(start))) return
        const end = start + 1 + (b % (size - start))
        view.quote({ start, end })
        view.quoteAround({ start, end })
        for (const { page: number, start: from, end: to, text } of view.evidence) {
          expect(pages[number - 1]!.slice(from, to)).toBe(text)
          expect(text).not.toBe('')
        }
      }),
      { numRuns: 300 },
    )
  })
})
