import { ownDataTexts } from '#words/own-data.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'

export function DataPart() {
  const { title, text, open } = ownDataTexts.part
  return (
    <Card title={title} contentClass="grid gap-4 p-5">
      <p className="text-pretty">{text}</p>
      <p>
        <ButtonLink to="/account/data" look="outline" className="max-sm:w-full">
          {open}
        </ButtonLink>
      </p>
    </Card>
  )
}
