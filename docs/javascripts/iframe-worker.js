// Browsers start no worker for a page that is opened as a file, and the search is one.
// There, what looks like a worker is a hidden frame that runs the worker's script.
if (location.protocol === "file:") {
  const run = (inside, src) => new Promise((onload, onerror) => {
    inside.document.body.append(
      Object.assign(inside.document.createElement("script"), { src, onload, onerror }))
  })

  const message = (target, data) => setTimeout(() => {
    target.dispatchEvent(new MessageEvent("message", { data }))
  })

  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(script) {
      super()
      this.frame = Object.assign(document.createElement("iframe"), { hidden: true, title: "search" })
      document.body.append(this.frame)
      const inside = this.frame.contentWindow
      inside.postMessage = (data) => message(this, data)
      inside.importScripts = async (...urls) => {
        for (const url of urls) await run(inside, url)
      }
      this.ready = run(inside, script)
    }

    postMessage(data) {
      this.ready.then(() => message(this.frame.contentWindow, data))
    }

    terminate() {
      this.frame.remove()
    }
  }
}
