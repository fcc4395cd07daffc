/**
 * Shows Markdown of a model, a tool or a worker. It is parsed, then sanitized, then given to the browser as `TrustedHTML`, which the policy
 * of the page requires. The result may have text, lists, quotes and links. It may not load, run, style or submit anything.
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
const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
/** HTML in the text is shown as text. As elements it would make a browser report its handlers even before they are removed. */
const parser = new Marked({
  gfm: true,
  renderer: {
    html: ({ text, block }) => (block === true ? `<p>${escapeHtml(text)}</p>` : escapeHtml(text)),
    // A checkbox becomes text and an image becomes a link, so that there is no form and nothing is loaded.
    checkbox: ({ checked }) => (checked ? '[x] ' : '[ ] '),
    image: ({ href, text }) => `<a href="${escapeHtml(href)}">${escapeHtml(text === '' ? href : text)}</a>`,
  },
  walkTokens(token) {
    // A link must not contain a link, so an image inside of one becomes its text.
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

function sanitize(markdown: string): string {
  const html = parser.parse(markdown, { async: false })
  const clean = purifier.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    // These attributes name no address. The check of addresses would remove them.
    ADD_URI_SAFE_ATTR: ['start', 'align'],
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
    RETURN_TRUSTED_TYPE: true,
  })
  // Preact passes the value on to `innerHTML` unchanged, but its types know only a text.
  return clean as unknown as string
}

/** Returns null for a text that is shown as it is. */
function htmlOf(markdown: string): string | null {
  if (!isReadable(markdown)) return null
  try {
    return sanitize(markdown)
  } catch {
    // The parser is recursive, and emphasis inside emphasis can be deeper than its stack.
    return null
  }
}

/** This many blocks of a long text are parsed at a time, so that the page stays responsive. */
const BLOCKS_AT_ONCE = 4

export function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => blocksOf(text), [text])
  const [parsed, setParsed] = useState(BLOCKS_AT_ONCE)
  const isWhole = parsed >= blocks.length
  useEffect(() => (isWhole ? undefined : startTimer(() => setParsed(parsed + BLOCKS_AT_ONCE), 0)), [isWhole, parsed])
  return (
    <div>
      {blocks.map((block, index) =>
        index < parsed ? <Block key={index} text={block} /> : <PlainText key={index} text={block} />,
      )}
    </div>
  )
}

function Block({ text }: { text: string }) {
  const html = useMemo(() => htmlOf(text), [text])
  if (html === null) return <PlainText text={text} />
  return <div class="markdown" dangerouslySetInnerHTML={{ __html: html }} />
}

const PlainText = ({ text }: { text: string }) => <pre class="said">{text}</pre>
