/**
 * Markdown of a model, a tool or a worker: parsed, then cleaned, then handed to the browser as `TrustedHTML`, which the page's policy asks
 * for. It may say, list, quote and link; it may not load, run, style or submit anything.
 */
import DOMPurify from 'dompurify'
import { Marked } from 'marked'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { startTimer } from '../../api/asker.ts'
import { blocksOf, isReadable } from './markdown-limits.ts'
import './markdown.css'

const TAGS = [
  'a',
  'b',
  'blockquote',
  'br',
  'code',
  'del',
  'em',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'i',
  'li',
  'ol',
  'p',
  'pre',
  's',
  'strong',
  'sub',
  'sup',
  'table',
  'tbody',
  'td',
  'th',
  'thead',
  'tr',
  'ul',
]
const ATTRIBUTES = ['href', 'title', 'start', 'align']
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
/** HTML within is shown as it was written: as elements a browser would complain of its handlers even while they are cleaned away. */
const reader = new Marked({
  gfm: true,
  renderer: {
    html: ({ text, block }) => (block === true ? `<p>${escaped(text)}</p>` : escaped(text)),
    // No form, and nothing is loaded: what they say is kept, as a text and as a link.
    checkbox: ({ checked }) => (checked ? '[x] ' : '[ ] '),
    image: ({ href, text }) => `<a href="${escaped(href)}">${escaped(text === '' ? href : text)}</a>`,
  },
  walkTokens(token) {
    // A link in a link is none: there an image is what it says.
    if (token.type !== 'link') return
    for (const within of token.tokens ?? [])
      if (within.type === 'image')
        Object.assign(within, { type: 'text', text: within.text === '' ? within.href : within.text, tokens: undefined })
  },
})

const purifier = DOMPurify()
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return
  node.setAttribute('target', '_blank')
  node.setAttribute('rel', 'noopener noreferrer')
})

function cleaned(markdown: string): string {
  const html = reader.parse(markdown, { async: false })
  const clean = purifier.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    // These name no address: what is asked of addresses would drop them.
    ADD_URI_SAFE_ATTR: ['start', 'align'],
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
    RETURN_TRUSTED_TYPE: true,
  })
  // Preact passes it on to `innerHTML` untouched; its types know a text only.
  return clean as unknown as string
}

/** null: a text that is shown as it is. */
function htmlOf(markdown: string): string | null {
  if (!isReadable(markdown)) return null
  try {
    return cleaned(markdown)
  } catch {
    // The reader calls itself for what is nested: emphasis in emphasis can be deeper than its stack.
    return null
  }
}

/** So many blocks of a long text are read at a time: between them the page does what else there is to do. */
const AT_ONCE = 4

export function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => blocksOf(text), [text])
  const [read, go] = useState(AT_ONCE)
  const isWhole = read >= blocks.length
  useEffect(() => (isWhole ? undefined : startTimer(() => go(read + AT_ONCE), 0)), [isWhole, read])
  return (
    <div>
      {blocks.map((block, index) =>
        index < read ? <Block key={index} text={block} /> : <Unread key={index} text={block} />,
      )}
    </div>
  )
}

function Block({ text }: { text: string }) {
  const html = useMemo(() => htmlOf(text), [text])
  if (html === null) return <Unread text={text} />
  return <div class="markdown" dangerouslySetInnerHTML={{ __html: html }} />
}

const Unread = ({ text }: { text: string }) => <pre class="said">{text}</pre>
