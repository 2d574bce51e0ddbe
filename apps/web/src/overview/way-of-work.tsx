const blocks = [
  {
    name: "Pack",
    text: "Agents say what they can do, in a manifest that never changes once it is registered.",
  },
  {
    name: "Route",
    text: "Operators say, in versioned policy, who may do what. Work goes only where that is safe.",
  },
  {
    name: "Gate",
    text: "Nothing passes without evidence. Where policy asks for a person, a person decides.",
  },
  {
    name: "Register",
    text: "All that is decided is on a record that nobody can rewrite and anybody can check.",
  },
];

/** The way of a piece of work through the signal box, as blocks on a line. */
export function WayOfWork() {
  return (
    <>
      <p className="mb-7 max-w-prose">
        Signalbox is the control plane for agents that do real work. It does for them what a railway’s signal
        box does for trains: it sets routes, makes unsafe settings impossible, and keeps the book.
      </p>
      <ol className="way">
        {blocks.map(({ name, text }) => (
          <li key={name} className="way-block">
            <span aria-hidden="true" className="block-mark" />
            <h3 className="font-mono text-sm font-semibold">{name}</h3>
            <p className="mt-1 text-sm text-ink-soft">{text}</p>
          </li>
        ))}
      </ol>
    </>
  );
}
