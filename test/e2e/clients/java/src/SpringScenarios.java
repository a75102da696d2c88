import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.MessageAggregator;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.content.Media;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.retry.NonTransientAiException;
import org.springframework.ai.retry.TransientAiException;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.retry.support.RetryTemplate;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

/** Scenarios of Spring AI, whichever package of it asks; it calls the tools itself and asks again. */
final class SpringScenarios {
    /** What differs between the packages. */
    interface Vendor {
        ChatModel model(Place place, String key);

        /** Options of a request. Either of the two may be missing. */
        ToolCallingChatOptions options(List<ToolCallback> tools, String schema);

        /** What a tool gives back. */
        default String told(String result) {
            return result;
        }

        /** Where the request has to change. */
        default Class<? extends Exception> refusal() {
            return NonTransientAiException.class;
        }

        /** Where another try may help. */
        default Class<? extends Exception> overload() {
            return TransientAiException.class;
        }
    }

    private interface Reader {
        ChatResponse read(Prompt prompt);
    }

    static final RetryTemplate ONCE = RetryTemplate.builder().maxAttempts(1).build();

    /** Keeps what it was called with. */
    private record Tool(String name, Map<String, Object> schema, List<Place.Call> calls, String result)
            implements ToolCallback {
        @Override
        public ToolDefinition getToolDefinition() {
            var inputSchema = Place.JSON.valueToTree(schema).toString();
            return ToolDefinition.builder().name(name).description(name).inputSchema(inputSchema).build();
        }

        @Override
        public String call(String input) {
            calls.add(new Place.Call(name, input));
            return result;
        }
    }

    private final Vendor vendor;
    private final ChatModel model;

    SpringScenarios(Vendor vendor, Place place) {
        this.vendor = vendor;
        this.model = vendor.model(place, place.key());
    }

    ChatResponse ask(Prompt prompt) {
        return model.call(prompt);
    }

    private ChatResponse collect(Prompt prompt) {
        var whole = new AtomicReference<ChatResponse>();
        new MessageAggregator().aggregate(model.stream(prompt), whole::set).blockLast();
        return whole.get();
    }

    private Prompt asking(String name) {
        return new Prompt(Place.question(name), vendor.options(List.of(), null));
    }

    private static String said(ChatResponse answer) {
        return answer.getResult().getOutput().getText();
    }

    static Place.Tokens usage(ChatResponse answer) {
        var usage = answer.getMetadata().getUsage();
        return new Place.Tokens(usage.getPromptTokens(), usage.getCompletionTokens());
    }

    private Runner.Scenario chat(String name, Reader reader) {
        return () -> {
            var answer = reader.read(asking(name));
            Place.same(said(answer), Place.ANSWER, "answer");
            return usage(answer);
        };
    }

    private Runner.Scenario tools(String name, Reader reader) {
        return () -> {
            List<Place.Call> calls = new ArrayList<>();
            var result = vendor.told(Place.TOOL_RESULT);
            List<ToolCallback> tools = List.of(
                    new Tool("lookup", Place.LOOKUP_SCHEMA, calls, result),
                    new Tool("now", Place.NO_ARGUMENTS, calls, result));
            var last = reader.read(new Prompt(Place.question(name), vendor.options(tools, null)));
            Place.same(calls, Place.callsOf(name), "calls");
            Place.same(said(last), Place.ANSWER, "answer");
            // It adds up what both turns took.
            return null;
        };
    }

    private Place.Tokens structured() {
        var schema = Place.JSON.valueToTree(Place.FORM_SCHEMA).toString();
        var answer = ask(new Prompt(Place.question("structured"), vendor.options(List.of(), schema)));
        Place.same(Place.parsed(said(answer)), Place.FORM, "form");
        return null;
    }

    private Runner.Scenario withMedia(String name, MimeType type, String data, String words) {
        return () -> {
            var media = Media.builder()
                    .mimeType(type)
                    .data(new ByteArrayResource(Base64.getDecoder().decode(data)))
                    .name("a")
                    .build();
            var user = UserMessage.builder().text(Place.question(name)).media(media).build();
            Place.same(said(ask(new Prompt(user, vendor.options(List.of(), null)))), words, "answer");
            return null;
        };
    }

    private Place.Tokens longHistory() {
        List<Message> messages = new ArrayList<>();
        for (var turn : Place.history())
            messages.add(turn.isUser() ? new UserMessage(turn.text()) : new AssistantMessage(turn.text()));
        Place.same(said(ask(new Prompt(messages, vendor.options(List.of(), null)))), Place.ANSWER, "answer");
        return null;
    }

    private Runner.Scenario failing(String name, Class<? extends Exception> kind, String status) {
        return () -> {
            var error = Place.raised(kind, () -> ask(asking(name)));
            Place.holds(messages(error).contains(status), "the message is " + messages(error));
            return null;
        };
    }

    Map<String, Runner.Scenario> common(Place place, String overloaded) {
        Map<String, Runner.Scenario> all = new LinkedHashMap<>();
        all.put("chat", chat("chat", this::ask));
        all.put("stream", chat("stream", this::collect));
        all.put("tools", tools("tools", this::ask));
        all.put("tools-streamed", tools("tools-streamed", this::collect));
        all.put("parallel-tools", tools("parallel-tools", this::ask));
        all.put("parallel-tools-streamed", tools("parallel-tools-streamed", this::collect));
        all.put("structured", this::structured);
        all.put("picture", withMedia("picture", MimeTypeUtils.IMAGE_PNG, Place.PICTURE, "I see 1 picture."));
        var pdf = MimeType.valueOf("application/pdf");
        all.put("file", withMedia("file", pdf, Place.PDF, "I read 1 file."));
        all.put("long-history", this::longHistory);
        all.put("rate-limited", failing("rate-limited", vendor.refusal(), "429"));
        all.put("too-long", failing("too-long", vendor.refusal(), "400"));
        all.put("overloaded", failing("overloaded", vendor.overload(), overloaded));
        all.put("cut", () -> {
            Place.raised(Exception.class, () -> collect(asking("cut")));
            return null;
        });
        all.put("unauthorized", () -> {
            var other = vendor.model(place, Place.UNKNOWN_KEY);
            var error = Place.raised(vendor.refusal(), () -> other.call(asking("chat")));
            Place.holds(messages(error).contains("401"), "the message is " + messages(error));
            return null;
        });
        all.put("unknown-model", () -> {
            var other = vendor.model(new Place(place.url(), place.key(), Place.NO_MODEL, place.upstream()), place.key());
            var error = Place.raised(vendor.refusal(), () -> other.call(asking("chat")));
            Place.holds(messages(error).contains("404"), "the message is " + messages(error));
            return null;
        });
        return all;
    }

    /** A package may put what the vendor said behind words of its own. */
    private static String messages(Throwable error) {
        return error.getMessage() + (error.getCause() == null ? "" : " " + messages(error.getCause()));
    }
}
