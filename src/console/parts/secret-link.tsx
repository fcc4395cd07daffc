/** An address that is a key itself, with a warning that says what its holder can do. */
import { useWords, wordTable } from '../state/preferences.tsx'
import { Copy } from './copy.tsx'
import { Field } from './field.tsx'

const WORDS = wordTable({ copy: ['Copy', '复制'] })

export function SecretLink({ label, warning, link }: { label: string; warning: string; link: string }) {
  const words = useWords(WORDS)
  return (
    <div>
      <Field label={label} help={warning}>
        {(attributes) => (
          <input
            {...attributes}
            readOnly
            class="number"
            value={link}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
        )}
      </Field>
      <Copy text={link} label={`${words.copy}: ${label}`}>
        {words.copy}
      </Copy>
    </div>
  )
}
