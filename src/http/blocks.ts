/** A piece of a document. Its texts may hold `code`, **strong** and [links](address). */
export type Block =
  | { kind: 'heading'; level: 1 | 2 | 3; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'list'; items: readonly string[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'table'; head: readonly string[]; rows: readonly (readonly string[])[] }

/** A document for programs and plain readers. */
export const markdownOf = (blocks: readonly Block[]) => `${blocks.map(markdownBlock).join('\n\n')}\n`

function markdownBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.text}`
    case 'text':
      return block.text
    case 'list':
      return block.items.map((item) => `- ${item}`).join('\n')
    case 'code':
      return `\`\`\`${block.language}\n${block.text}\n\`\`\``
    case 'table':
      return [block.head, block.head.map(() => '---'), ...block.rows]
        .map(
          (cells) =>
            `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`,
        )
        .join('\n')
  }
}

/** The same document as a page. */
export function htmlOf(title: string, blocks: readonly Block[], stylesheet: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${stylesheet}">
</head>
<body>
<main>
${blocks.map(htmlBlock).join('\n')}
</main>
</body>
</html>
`
}

function htmlBlock(block: Block): string {
  switch (block.kind) {
    case 'heading': {
      const id = block.text.toLowerCase().replaceAll(/[^a-z0-9_]+/g, '-')
      return `<h${block.level} id="${id}">${inline(block.text)}</h${block.level}>`
    }
    case 'text':
      return `<p>${inline(block.text)}</p>`
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>`
    case 'code':
      // A box that scrolls must be reachable by keyboard.
      return `<pre tabindex="0"><code>${escaped(block.text)}</code></pre>`
    case 'table': {
      const head = block.head.map((cell) => `<th scope="col">${inline(cell)}</th>`).join('')
      const rows = block.rows.map(
        (cells) => `<tr>${cells.map((cell) => `<td>${inline(cell)}</td>`).join('')}</tr>`,
      )
      return `<div class="wide" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`
    }
  }
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const inline = (text: string) =>
  escaped(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>')
