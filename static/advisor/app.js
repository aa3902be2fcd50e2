// Small comforts; every page works without them.
(function () {
  // A file dropped on a drop zone goes into its file input.
  document.addEventListener("dragover", function (event) {
    var zone = event.target.closest(".drop");
    if (!zone) return;
    event.preventDefault();
    zone.classList.add("over");
  });
  document.addEventListener("dragleave", function (event) {
    var zone = event.target.closest(".drop");
    if (zone && !zone.contains(event.relatedTarget)) zone.classList.remove("over");
  });
  document.addEventListener("drop", function (event) {
    var zone = event.target.closest(".drop");
    if (!zone) return;
    event.preventDefault();
    zone.classList.remove("over");
    var input = zone.querySelector("input[type=file]");
    if (input && event.dataTransfer.files.length) {
      input.files = event.dataTransfer.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    }
  });
  // A button that copies the text of a field; shown only where it can.
  document.querySelectorAll("[data-copy]").forEach(function (button) {
    var field = document.getElementById(button.dataset.copy);
    if (!field || !navigator.clipboard) return;
    button.hidden = false;
    button.addEventListener("click", function () {
      field.select();
      navigator.clipboard.writeText(field.value).then(function () { button.textContent = "Copied"; });
    });
  });
})();
