import { useBook } from '../../book.ts'
import { Prose } from '../../prose.tsx'
import { Section } from '../../components/section.tsx'

export function FreeText() {
  const { text } = useBook()
  return (
    <Section id="text" title={text.title}>
      <div className="mx-auto max-w-[44rem] space-y-5 text-lg text-pretty">
        <Prose blocks={text.blocks} />
      </div>
    </Section>
  )
}
