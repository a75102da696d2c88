import java.util.Map;

/** The client whose packages do not fit beside the others. */
final class GoogleMain {
    public static void main(String[] words) throws InterruptedException {
        Runner.run(Map.of("spring-ai-google-genai", SpringGoogle::scenarios));
    }
}
