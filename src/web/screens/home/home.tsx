// The home page.
import { book } from '#content/book.ts'

export default function Home() {
  return <h1 className="font-display text-4xl">{book.title}</h1>
}
