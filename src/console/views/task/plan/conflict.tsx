/** Shows two versions of a plan side by side, and lets the reader decide about their own. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ApiRequest } from '../../../api/request.ts'
import type { PlanItem } from '../../../api/wire.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyCurl } from '../../../parts/copy.tsx'
import { StatusMark } from '../../../parts/status.tsx'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import type { DraftItem } from './plan-draft.ts'

const WORDS = wordTable({
  title: ['Somebody was faster', '有人抢先一步'],
  what: [
    'The plan was changed before yours was sent. Nothing you typed is lost.',
    '在您提交之前，计划已被修改。您输入的内容没有丢失。',
  ],
  mine: ['Mine', '我的版本'],
  theirs: ['Theirs', '对方的版本'],
  none: ['no items', '没有条目'],
  isNew: ['new', '新增'],
  left: [
    (titles: string) => `Finished meanwhile, so left out of mine: ${titles}`,
    (titles) => `其间已结束、因此不再包含：${titles}`,
  ],
  keep: ['Keep mine on top of theirs', '在对方版本之上保留我的修改'],
  take: ['Take theirs', '采用对方的版本'],
  edit: ['Go on editing mine', '继续编辑我的版本'],
})

interface Props {
  mine: readonly DraftItem[]
  theirs: readonly PlanItem[]
  /** The titles of finished items, which are left out of `mine`. */
  finished: readonly string[]
  busy: boolean
  keep: () => void
  take: () => void
  edit: () => void
  /** The request that `keep` sends. */
  request: ApiRequest
}

export function PlanConflict({ mine, theirs, finished, busy, keep, take, edit, request }: Props) {
  const words = useWords(WORDS)
  const title = useRef<HTMLHeadingElement>(null)
  // The pressed button is gone, so the title gets the focus.
  useLayoutEffect(() => title.current?.focus(), [])
  return (
    <div class="plan-conflict stack">
      <h3 ref={title} tabIndex={-1}>
        {words.title}
      </h3>
      <p>{words.what}</p>
      <div class="plan-versions">
        <Version name={words.mine}>
          {mine.map(({ key, id, title }) => (
            <li key={key}>
              {title} {id === null && <span class="soft small">({words.isNew})</span>}
            </li>
          ))}
        </Version>
        <Version name={words.theirs}>
          {theirs.map(({ id, title, status }) => (
            <li key={id}>
              {title} <StatusMark of={status} />
            </li>
          ))}
        </Version>
      </div>
      {finished.length > 0 && <p class="small">{words.left(finished.join(' · '))}</p>}
      <div class="row">
        <Button kind="main" busy={busy} onClick={keep}>
          {words.keep}
        </Button>
        <Button onClick={take}>{words.take}</Button>
        <Button onClick={edit}>{words.edit}</Button>
        <CopyCurl request={request} of={words.keep} />
      </div>
    </div>
  )
}

function Version({ name, children }: { name: string; children: preact.JSX.Element[] }) {
  const words = useWords(WORDS)
  return (
    <section aria-label={name}>
      <h4 class="soft small">{name}</h4>
      {children.length === 0 ? <p class="soft">{words.none}</p> : <ol>{children}</ol>}
    </section>
  )
}
