import { controlsTexts } from '#words/controls.ts'
import { siteTexts } from '#words/site.ts'
import { useRevalidator } from 'react-router'
import { Button } from './button.tsx'
import { CloudOff } from './further-icons.tsx'
import { Note } from './note.tsx'

export function Failed({ title }: { title: string }) {
  const { state, revalidate } = useRevalidator()
  return (
    <Note icon={CloudOff} title={title}>
      <p>{controlsTexts.nothingLost}</p>
      <Button className="mt-5" disabled={state !== 'idle'} onClick={() => void revalidate()}>
        {state === 'idle' ? siteTexts.tryAgain : controlsTexts.loading}
      </Button>
    </Note>
  )
}
