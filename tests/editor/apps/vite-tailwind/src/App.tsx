export default function App() {
  return (
    <main className="p-8">
      <h1 className="text-3xl font-bold md:text-5xl">Get started</h1>
      <p className="mt-4">Edit this page and watch it change.</p>
    </main>
  )
}
