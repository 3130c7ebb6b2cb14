import { useRef, useState } from 'react'
import { CopyButton } from './copy.tsx'

/** The question behind a view as a program asks it. */
export function AsCode({ path, body, tool }: { path: string; body: unknown; tool?: string | undefined }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const forms = codeForms(location.origin + path, body, tool)
  const [form, setForm] = useState(0)
  const shown = forms[form]!
  return (
    <>
      <button type="button" className="button" onClick={() => dialog.current?.showModal()}>
        Show as API call
      </button>
      <dialog ref={dialog} aria-label="As an API call" style={{ width: 'min(52rem, calc(100vw - 2rem))' }}>
        <div className="stack">
          <div className="tabs" role="tablist">
            {forms.map(({ name }, at) => (
              <button
                key={name}
                type="button"
                role="tab"
                aria-selected={at === form}
                onClick={() => setForm(at)}
              >
                {name}
              </button>
            ))}
          </div>
          <pre tabIndex={0}>{shown.text}</pre>
          <div className="row between">
            <CopyButton text={shown.text} />
            <button type="button" className="button" onClick={() => dialog.current?.close()}>
              Close
            </button>
          </div>
        </div>
      </dialog>
    </>
  )
}

/** JSON to read: a list of plain values stays on one line while it fits. */
const compactJson = (value: unknown) =>
  JSON.stringify(value, null, 2).replaceAll(/\[\s+([^[\]{}]*?)\s+\]/g, (whole, inner: string) => {
    const line = `[${inner.replaceAll(/\s*\n\s*/g, ' ')}]`
    return line.length <= 90 ? line : whole
  })

function codeForms(url: string, body: unknown, tool: string | undefined): { name: string; text: string }[] {
  const json = compactJson(body)
  const python = json
    .replaceAll(/\btrue\b/g, 'True')
    .replaceAll(/\bfalse\b/g, 'False')
    .replaceAll(/\bnull\b/g, 'None')
  return [
    {
      name: 'curl',
      text: `curl -s '${url}' \\\n  -H "Authorization: Bearer $RATEBOOK_KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d '${json.replaceAll("'", `'\\''`)}'`,
    },
    {
      name: 'TypeScript',
      text: `const response = await fetch('${url}', {\n  method: 'POST',\n  headers: {\n    Authorization: \`Bearer \${process.env.RATEBOOK_KEY}\`,\n    'Content-Type': 'application/json',\n  },\n  body: JSON.stringify(${json.replaceAll('\n', '\n  ')}),\n})\nif (!response.ok) throw new Error(await response.text())\nconst rows = await response.json()`,
    },
    {
      name: 'Python',
      text: `import os\nimport requests\n\nresponse = requests.post(\n    "${url}",\n    headers={"Authorization": f"Bearer {os.environ['RATEBOOK_KEY']}"},\n    json=${python.replaceAll('\n', '\n    ')},\n)\nresponse.raise_for_status()\nrows = response.json()`,
    },
    ...(tool
      ? [
          {
            name: 'Tool call',
            text: compactJson({ method: 'tools/call', params: { name: tool, arguments: body } }),
          },
        ]
      : []),
  ]
}
