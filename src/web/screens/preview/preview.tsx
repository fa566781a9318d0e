// The sample's first chapter.
import { preface } from '#content/preface.ts'

export default function Preview() {
  return <h1 className="font-display text-4xl">{preface.title}</h1>
}
