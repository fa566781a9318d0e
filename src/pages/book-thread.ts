// The thread that reads and renders books, so that a long one delays no request.
import { serveTasks } from '#platform/bounded-worker.ts'
import { performTask } from './book-work.ts'

serveTasks(performTask)
