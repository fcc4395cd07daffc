/** Strangers' texts made plain, strangers' links checked. */
import { expect, it } from 'vitest'
import { toHits } from '../../src/search/hits.ts'

const LINK = 'https://example.org/'
const summary = (text: string, html: boolean) =>
  toHits([{ title: 't', summary: text, link: LINK, html }], 1)[0]?.summary

it.each([
  ['tags go, words stay whole', 'in<b>her</b>ited <span class="searchmatch">x</span>', 'inherited x'],
  ['breaks and blocks are spaces', 'one<br/>two<p>three</p><!-- no -->four', 'one two three four'],
  ['entities are read once', '&lt;b&gt; &amp;lt; &quot;&#65;&#x4e2d;&apos;&nbsp;&hellip;', '<b> &lt; "A中\' …'],
  ['unknown entities stay', '&nosuch; &constructor; & &;', '&nosuch; &constructor; & &;'],
  ['impossible characters are spaces or replaced', 'a&#0;b&#x110000;c&#xd800;d', 'a b c\ufffdd'],
  ['a lone angle bracket is text', '1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
])('O0-13 a snippet in HTML: %s', (_, html, plain) => {
  expect(summary(html, true)).toBe(plain)
})

it.each([
  ['markup is left as text', 'Vec<T> &amp; Box', 'Vec<T> &amp; Box'],
  ['line breaks cannot forge a list', 'a\n2. forged\r\n\u2028b\u0000c\td', 'a 2. forged b c d'],
  ['direction marks go', '\u202eabc\u2066\u200f', 'abc'],
  ['500 characters are kept whole', '牛'.repeat(500), '牛'.repeat(500)],
  ['501 characters are cut, and between characters', '🥛'.repeat(501), `${'🥛'.repeat(500)}…`],
])('O0-13 a plain snippet: %s', (_, text, plain) => {
  expect(summary(text, false)).toBe(plain)
})

it.each([
  ['javascript:alert(1)'],
  ['data:text/html,x'],
  ['ftp://example.org/'],
  ['//example.org/'],
  ['not a link'],
  [''],
  ['https://user:secret@example.org/'],
  [`https://example.org/${'x'.repeat(2_000)}`],
])('O0-13 a result whose link is %.40s is left out', (link) => {
  expect(toHits([{ title: 't', summary: 's', link }], 3)).toEqual([])
})

it('O0-13 a link is shown once, an untitled result by its host, and dropped results do not use up places', () => {
  const raw = (title: string, link: string) => ({ title, summary: undefined, link })
  const raws = [
    raw('a', 'mailto:a@b.c'),
    raw(' ', LINK),
    raw('b', LINK),
    raw('c', 'http://c.test/'),
    raw('d', 'http://d.test/'),
  ]
  expect(toHits(raws, 2)).toEqual([
    { title: 'example.org', summary: '', link: LINK },
    { title: 'c', summary: '', link: 'http://c.test/' },
  ])
})

it.each([['<a'], ['<!--'], ['&#'], ['<br '], ['\n']])('a megabyte of %j is done with at once', (piece) => {
  const text = piece.repeat(1_000_000 / piece.length)
  expect(toHits([{ title: text, summary: text, link: LINK, html: true }], 1)).toHaveLength(1)
})
